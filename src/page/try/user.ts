/** What is typed of a user, before anything is. */
export const nobody = {
  userID: '',
  email: '',
  country: '',
  appVersion: '',
  environment: '',
  /** `plan=pro, city=Wien`. */
  custom: '',
};

export type Typed = typeof nobody;

/** Whether anything of a user is said. */
export const isAsking = (typed: Typed) => Object.values(typed).some((text) => text !== '');

/** What stands behind an equals sign: a number or a yes where it is one, else text. */
function valueOfText(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

/** Pairs as an object: `plan=pro, age=30`. */
function pairs(text: string): [string, unknown][] {
  return text
    .split(/[,\n]/)
    .map((part) => part.split('='))
    .filter((parts) => parts.length > 1)
    .map(([name = '', ...rest]) => [name.trim(), valueOfText(rest.join('=').trim())]);
}

/** The user as SDKs send it; custom fields whose name ends with `ID` are ids of units as well. */
export function userOf({ custom, environment, ...fields }: Typed): Record<string, unknown> {
  const given = Object.entries(fields).filter(([, value]) => value !== '');
  const own = pairs(custom);
  return {
    ...Object.fromEntries(given),
    custom: Object.fromEntries(own),
    customIDs: Object.fromEntries(own.filter(([name]) => /ID$/.test(name))),
    ...(environment !== '' && { statsigEnvironment: { tier: environment } }),
  };
}
