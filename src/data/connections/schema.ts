import * as z from 'zod';
import { stamps, stampsExample } from '../../base/fields.ts';
import type { Entity } from '../../platform/store/core/entity.ts';
import { secretFields } from './secret_fields.ts';

const text = z.string();
const port = z.int().min(1).max(65_535);

export const secret = z.string().meta({
  id: 'Secret',
});

const sections = z
  .object({
    databricks: z
      .object({
        host: text,
        path: text,
        accessToken: secret,
        stagingDatabase: text,
        oauthClientID: text,
        consoleComputePath: text,
      })
      .partial(),
    snowflake: z
      .object({
        accountName: text,
        serviceUserName: text,
        serviceUserPassword: secret,
        privateKey: secret,
        keyPassPhrase: secret,
        stagingDatabaseName: text,
        stagingSchemaName: text,
        computeWarehouse: text,
        consoleComputeWarehouse: text,
      })
      .partial(),
    bigquery: z
      .object({
        privateKey: secret,
        project: text,
        consoleComputeProject: text,
        stagingDataset: text,
      })
      .partial(),
    redshift: z
      .object({
        host: text,
        port,
        database: text,
        username: text,
        password: secret,
        stagingSchema: text,
        useSshTunnel: z.boolean(),
        sshUsername: text,
        sshPort: port,
        sshHost: text,
        sshPrivateKey: secret,
        sshPublicKey: text,
        verifyCA: z.boolean(),
        useAssumeRole: z.boolean(),
        roleArn: text,
        region: text,
      })
      .partial(),
    athena: z
      .object({
        region: text,
        bucket: text,
        dataCatalog: text,
        useCatalogInQueryContext: z.boolean(),
        database: text,
        queryResultLocation: text,
        workgroup: text,
        roleArn: text,
      })
      .partial(),
  })
  .partial();

export const sectionNames = sections.keyof().options;

function withEmptySecrets(section: z.ZodObject) {
  const secrets = Object.keys(section.shape).filter((field) => secretFields.has(field));
  const empty = secrets.map((field) => [field, z.literal('').optional()]);
  return section.extend(Object.fromEntries(empty)).strict().optional();
}

/** The exported sections: secrets are sealed with the key of a deployment, and cannot be exported. */
export const sectionsWithoutSecrets = z.object(
  Object.fromEntries(
    sectionNames.map((name) => [name, withEmptySecrets(sections.shape[name].unwrap())]),
  ),
);

export const connectionResponse = sections
  .extend({ id: z.string(), ...stamps })
  .partial()
  .meta({
    id: 'WarehouseConnections',
    examples: [
      {
        id: 'connection',
        databricks: { host: 'dbc-1.example.com', accessToken: '<ACCESS_TOKEN>' },
        redshift: { host: 'redshift.example.com', port: 5439, password: '<PASSWORD>' },
        ...stampsExample,
      },
    ],
  });

export type ConnectionSection = Record<string, string | number | boolean>;
export type Sections = { [Name in (typeof sectionNames)[number]]?: ConnectionSection };
export type Connection = Entity & Sections;

export const connectionPatch = sections.meta({
  id: 'WarehouseConnectionsPatch',
  examples: [
    {
      databricks: { host: 'dbc-1.example.com', accessToken: 'dapi-0123456789' },
      redshift: { host: 'redshift.example.com', port: 5439, useSshTunnel: false },
    },
  ],
});
