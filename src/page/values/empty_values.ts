export const emptyValues = { boolean: false, string: '', number: 0, object: {}, array: [] };
