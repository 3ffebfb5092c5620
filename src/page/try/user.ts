export const emptyUser = {
  userID: '',
  email: '',
  country: '',
  appVersion: '',
  environment: '',
  custom: '',
};

export type TypedUser = typeof emptyUser;

/** Whether any field of the user is filled in. */
export const hasInput = (typed: TypedUser) => Object.values(typed).some((text) => text !== '');

function valueOfText(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

function pairs(text: string): [string, unknown][] {
  return text
    .split(/[,\n]/)
    .map((part) => part.split('='))
    .filter((parts) => parts.length > 1)
    .map(([name = '', ...rest]) => [name.trim(), valueOfText(rest.join('=').trim())]);
}

/** Returns the user in SDK format. Custom fields that end with `ID` also become custom IDs. */
export function userOf({ custom, environment, ...fields }: TypedUser): Record<string, unknown> {
  const given = Object.entries(fields).filter(([, value]) => value !== '');
  const own = pairs(custom);
  return {
    ...Object.fromEntries(given),
    custom: Object.fromEntries(own),
    customIDs: Object.fromEntries(own.filter(([name]) => /ID$/.test(name))),
    ...(environment !== '' && { statsigEnvironment: { tier: environment } }),
  };
}
