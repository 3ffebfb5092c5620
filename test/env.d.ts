declare namespace Cloudflare {
  interface Env {
    ROOT_API_KEY: string;
    SEALING_KEY: string;
    /** How much is tried at random, and which of it again. */
    MODEL_STEPS: string;
    FUZZ_REQUESTS: string;
    BODIES: string;
    /** Days of the reference data that results are compared for; more than 3 with all metrics. */
    ANALYSIS_DAYS: string;
    SEED: string;
    MIGRATIONS: import('cloudflare:test').D1Migration[];
  }
}

declare module '*?raw' {
  const text: string;
  export default text;
}
