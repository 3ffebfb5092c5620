import * as z from 'zod';
import { name, stamps, stampsExample } from '../../base/fields.ts';

const strict = z.boolean();

const example = { name: 'The shop', strict: false };

export const companyResponse = z
  .object({ id: z.string(), name: z.string(), strict, ...stamps })
  .meta({
    id: 'Company',
    examples: [{ id: '3e5ad4b50e8b4f6f9c0f6f1d2c7a9e10', ...example, ...stampsExample }],
  });

export type Company = z.infer<typeof companyResponse>;

export const companyRead = companyResponse.extend(z.object(stamps).partial().shape).meta({
  id: 'SingleCompany',
  examples: [{ id: '3e5ad4b50e8b4f6f9c0f6f1d2c7a9e10', ...example }],
});

export const companyPatch = z
  .object({ name, strict })
  .partial()
  .meta({ id: 'CompanyPatch', examples: [{ name: 'The shop' }] });
