// The shop's data warehouse: its connection, and its sources.

export const connections = {
  bigquery: { project: 'shop-analytics', stagingDataset: 'experiments' },
  snowflake: {
    accountName: 'shop',
    serviceUserName: 'console',
    serviceUserPassword: 'only-a-sample',
    stagingDatabaseName: 'experiments',
  },
};

export const assignmentSource = {
  name: 'Shop assignments',
  description: 'Assignments that the shop writes to the warehouse.',
  sql: 'SELECT ts, user_id, experiment, variant FROM shop.assignments',
  timestampColumn: 'ts',
  experimentIDColumn: 'experiment',
  groupIDColumn: 'variant',
  idTypeMapping: [{ serviceUnitID: 'userID', column: 'user_id' }],
};

export const ingestion = {
  dataset: 'Metrics',
  type: 'snowflake-v2',
  source_name: 'daily_returns',
  query: 'SELECT user_id, day, metric, value FROM shop.daily_returns',
  column_mapping: {
    unit_id: 'user_id',
    dateid: 'day',
    metric_name: 'metric',
    metric_value: 'value',
  },
};
