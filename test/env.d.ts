declare namespace Cloudflare {
  interface Env {
    ROOT_API_KEY: string;
    SEALING_KEY: string;
    MIGRATIONS: import('cloudflare:test').D1Migration[];
  }
}
