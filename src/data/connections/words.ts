import type { PropertySchema, Words } from '../../platform/openapi/words/words.ts';
import type { connectionPatch, connectionResponse } from './schema.ts';

export const words: Words<{
  schemas: {
    WarehouseConnections: typeof connectionResponse | typeof connectionPatch;
    'WarehouseConnections.databricks':
      | PropertySchema<typeof connectionResponse, 'databricks'>
      | PropertySchema<typeof connectionPatch, 'databricks'>;
    'WarehouseConnections.snowflake':
      | PropertySchema<typeof connectionResponse, 'snowflake'>
      | PropertySchema<typeof connectionPatch, 'snowflake'>;
    'WarehouseConnections.bigquery':
      | PropertySchema<typeof connectionResponse, 'bigquery'>
      | PropertySchema<typeof connectionPatch, 'bigquery'>;
    'WarehouseConnections.redshift':
      | PropertySchema<typeof connectionResponse, 'redshift'>
      | PropertySchema<typeof connectionPatch, 'redshift'>;
    'WarehouseConnections.athena':
      | PropertySchema<typeof connectionResponse, 'athena'>
      | PropertySchema<typeof connectionPatch, 'athena'>;
  };
}> = {
  schemas: {
    WarehouseConnections: {
      databricks: 'The connection to Databricks.',
      snowflake: 'The connection to Snowflake.',
      bigquery: 'The connection to BigQuery.',
      redshift: 'The connection to Redshift.',
      athena: 'The connection to Athena.',
    },
    'WarehouseConnections.databricks': {
      accessToken: 'The access token; encrypted, never returned.',
      stagingDatabase: 'The database for computed tables.',
      oauthClientID: 'The OAuth client ID.',
      consoleComputePath: 'The path of the warehouse for computations.',
    },
    'WarehouseConnections.snowflake': {
      accountName: 'The account.',
      serviceUserName: 'The service user.',
      serviceUserPassword: 'The password of the service user; encrypted, never returned.',
      keyPassPhrase: 'The passphrase of the key; encrypted, never returned.',
      stagingDatabaseName: 'The database for computed tables.',
      stagingSchemaName: 'The schema for computed tables.',
      computeWarehouse: 'The warehouse for computations.',
      consoleComputeWarehouse: 'The warehouse for computations of the console.',
    },
    'WarehouseConnections.bigquery': {
      project: 'The project.',
      consoleComputeProject: 'The project for computations.',
      stagingDataset: 'The dataset for computed tables.',
    },
    'WarehouseConnections.redshift': {
      port: 'The port.',
      username: 'The user.',
      password: 'The password; encrypted, never returned.',
      stagingSchema: 'The schema for computed tables.',
      useSshTunnel: 'Whether to use an SSH tunnel.',
      sshUsername: 'The user of the tunnel.',
      sshPort: 'The port of the tunnel.',
      sshHost: 'The host of the tunnel.',
      sshPrivateKey: 'The private key of the tunnel; encrypted, never returned.',
      sshPublicKey: 'The public key of the tunnel.',
      verifyCA: 'Whether the certificate is checked.',
      useAssumeRole: 'Whether to assume a role.',
    },
    'WarehouseConnections.athena': {
      dataCatalog: 'The data catalog.',
      useCatalogInQueryContext: 'Whether queries name the catalog.',
      queryResultLocation: 'The location of query results.',
      workgroup: 'The workgroup.',
    },
  },
};
