/** What is reached through the settings: what others name, and who they are. */
export const named = [
  'environments',
  'tags',
  'unit_id_types',
  'target_apps',
  'teams',
  'users',
  'company',
];
