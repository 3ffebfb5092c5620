/** Resources that are linked from the settings page. */
export const named = [
  'environments',
  'tags',
  'unit_id_types',
  'target_apps',
  'teams',
  'users',
  'company',
];
