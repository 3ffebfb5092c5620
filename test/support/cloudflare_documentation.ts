/** The allowed query parameters, and the members of a JSON body or form. */
export interface Documented {
  query?: string[];
  required?: string[];
  optional?: string[];
}

/** The path of the Worker in the API. */
export const worker = '/accounts/:account/workers/scripts/experimentation-console';

const database = '/accounts/:account/d1/database';

/**
 * The documented calls of a deployment: https://developers.cloudflare.com/api for D1 and Workers, and
 * https://developers.cloudflare.com/workers/static-assets/direct-upload for assets.
 */
export const documented: Record<string, Documented> = {
  [`GET ${database}`]: { query: ['name', 'page', 'per_page'] },
  [`POST ${database}`]: {
    required: ['name'],
    optional: ['jurisdiction', 'primary_location_hint', 'read_replication'],
  },
  [`POST ${database}/:database/query`]: { required: ['sql'], optional: ['params'] },
  [`GET ${worker}/secrets`]: {},
  [`GET ${worker}/settings`]: {},
  [`PATCH ${worker}/settings`]: { required: ['settings'] },
  [`PUT ${worker}`]: { required: ['metadata'], query: ['excludeScript', 'bindings_inherit'] },
  [`POST ${worker}/assets-upload-session`]: { required: ['manifest'] },
  [`POST ${worker}/versions`]: { required: ['metadata'], query: ['bindings_inherit'] },
  [`GET ${worker}/deployments`]: {},
  [`POST ${worker}/deployments`]: {
    required: ['strategy', 'versions'],
    optional: ['annotations'],
    query: ['force'],
  },
  [`PATCH ${worker}/script-settings`]: {
    optional: ['logpush', 'observability', 'tags', 'tail_consumers'],
  },
  'GET /accounts/:account/workers/subdomain': {},
  [`GET ${worker}/subdomain`]: {},
  [`POST ${worker}/subdomain`]: { required: ['enabled'], optional: ['previews_enabled'] },
  [`PUT ${worker}/schedules`]: { required: ['cron'] },
  // Undocumented: wrangler uses it to check whether the Worker exists.
  'GET /accounts/:account/workers/services/experimentation-console': {},
};
