/**
 * Returns the form of an ID type in `event_units` and `exposures`, so that `companyID` and `CompanyID` are one type, as
 * in evaluation. See docs/contract/evaluation.md#42-lookups.
 */
export const storedUnitType = (type: string): string => type.toLowerCase();
