// Without zod, so that the console uses the table that the API validates with.

const sets = ['any', 'none'];
const substrings = ['str_contains_any', 'str_contains_none', 'str_matches'];
export const numbers = ['gt', 'gte', 'lt', 'lte'];
export const versions = ['version_gt', 'version_gte', 'version_lt', 'version_lte'];
export const times = ['before', 'after'];
export const arrays = [
  'array_contains_any',
  'array_contains_none',
  'array_contains_all',
  'not_array_contains_all',
];
export const nulls = ['is_null', 'is_not_null'];

export interface ConditionType {
  operators: string[];
  needs?: 'field' | 'customID';
  /** The kind of entity that `targetValue` (or `field`) refers to. */
  names?: 'gate' | 'segment' | 'experiment';
  bare?: true;
}

const text: ConditionType = { operators: [...sets, ...substrings] };
const versioned: ConditionType = { operators: [...sets, ...versions] };
const listed: ConditionType = { operators: sets };
const unit: ConditionType = { operators: [...sets, ...nulls, ...substrings] };

export const conditionTypes = {
  public: { operators: [], bare: true },
  user_id: unit,
  unit_id: { ...unit, needs: 'customID' },
  email: text,
  device_model: text,
  url: text,
  locale: text,
  user_agent: text,
  custom_field: {
    operators: [
      ...sets,
      ...substrings,
      ...numbers,
      ...versions,
      ...times,
      'on',
      ...arrays,
      ...nulls,
    ],
    needs: 'field',
  },
  app_version: versioned,
  browser_version: versioned,
  os_version: versioned,
  browser_name: listed,
  os_name: listed,
  country: listed,
  ip_address: listed,
  environment_tier: listed,
  target_app: listed,
  time: { operators: times },
  passes_gate: { operators: [], names: 'gate' },
  fails_gate: { operators: [], names: 'gate' },
  passes_segment: { operators: [], names: 'segment' },
  fails_segment: { operators: [], names: 'segment' },
  experiment_group: { operators: sets, needs: 'field', names: 'experiment' },
} satisfies Record<string, ConditionType>;
