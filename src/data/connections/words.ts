import { describe } from '../../platform/openapi/words/describe.ts';
import { connectionPatch, connectionResponse, secret } from './schema.ts';

describe(
  secret,
  'Stored encrypted, returned as a placeholder such as `<ACCESS_TOKEN>`. Sending the placeholder back keeps the secret, an empty text removes it.',
);

describe([connectionResponse, connectionPatch], {
  databricks: [
    'The connection to Databricks.',
    {
      accessToken: 'The access token; encrypted, never returned.',
      stagingDatabase: 'The database for computed tables.',
      oauthClientID: 'The OAuth client ID.',
      consoleComputePath: 'The path of the warehouse for computations.',
    },
  ],
  snowflake: [
    'The connection to Snowflake.',
    {
      accountName: 'The account.',
      serviceUserName: 'The service user.',
      serviceUserPassword: 'The password of the service user; encrypted, never returned.',
      keyPassPhrase: 'The passphrase of the key; encrypted, never returned.',
      stagingDatabaseName: 'The database for computed tables.',
      stagingSchemaName: 'The schema for computed tables.',
      computeWarehouse: 'The warehouse for computations.',
      consoleComputeWarehouse: 'The warehouse for computations of the console.',
    },
  ],
  bigquery: [
    'The connection to BigQuery.',
    {
      project: 'The project.',
      consoleComputeProject: 'The project for computations.',
      stagingDataset: 'The dataset for computed tables.',
    },
  ],
  redshift: [
    'The connection to Redshift.',
    {
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
  ],
  athena: [
    'The connection to Athena.',
    {
      dataCatalog: 'The data catalog.',
      useCatalogInQueryContext: 'Whether queries name the catalog.',
      queryResultLocation: 'The location of query results.',
      workgroup: 'The workgroup.',
    },
  ],
});
