import * as z from 'zod';

type Said = z.core.JSONSchema.BaseSchema;

/** Says in words what validators get wrong: 0.07 is no multiple of 0.01 in binary fractions. */
function saySteps(json: Said): void {
  const { multipleOf: step } = json;
  if (step === undefined || Number.isInteger(step)) return;
  delete json.multipleOf;
  json.description = [json.description, `In steps of ${step}.`].filter(Boolean).join(' ');
}

/** Says of a schema what a reader needs: not what JSON says anyway, nor what clients cannot rely on. */
export function tidy(schema: { zodSchema: z.core.$ZodTypes; jsonSchema: Said }): void {
  const { zodSchema, jsonSchema: json } = schema;
  const { id, examples } = z.globalRegistry.get(zodSchema) ?? {};
  // zod leaves out those of what it transforms.
  if (id !== undefined && Array.isArray(examples)) json.examples = examples;
  delete json.id;
  // Additions are no breaking change, so no client may rely on their absence.
  if (json.additionalProperties === false) delete json.additionalProperties;
  if (Object(json.propertyNames).type === 'string') delete json.propertyNames;
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
  if (json.format !== undefined) delete json.pattern; // the format says it in a word
  // Some generators write a slash escaped, and end the pattern where it is so already.
  if (json.pattern) json.pattern = json.pattern.replaceAll('\\/', '/');
  saySteps(json);
}
