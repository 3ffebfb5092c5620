/** Returns the stored form of an ID type, regardless of case. See docs/contract/evaluation.md#42-lookups. */
export const storedUnitType = (type: string): string => type.toLowerCase();
