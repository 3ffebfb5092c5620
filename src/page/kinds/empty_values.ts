/** The value of a new parameter, by its type. */
export const emptyValues = { boolean: false, string: '', number: 0, object: {}, array: [] };
