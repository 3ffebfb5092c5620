interface NameFields {
  properties: readonly string[];
  condition?: string;
}

/** Names that entities mention without a reference. Any name is accepted unless the company is strict. */
export const nameFields = {
  tag: { properties: ['tags', 'primaryMetricTags', 'secondaryMetricTags'] },
  unit_id_type: {
    properties: [
      'idType',
      'secondaryIDType',
      'unitTypes',
      'unitID',
      'unitType',
      'serviceUnitID',
      'customID',
    ],
  },
  target_app: {
    properties: ['targetApps', 'targetAppIDs', 'targetAppID'],
    condition: 'target_app',
  },
  team: { properties: ['team', 'teamID'] },
  environment: {
    properties: ['environment', 'environments', 'enabledNonProdEnvironments'],
    condition: 'environment_tier',
  },
  user: { properties: ['ownerEmail'] },
} satisfies Record<string, NameFields>;

export type NameKind = keyof typeof nameFields;
