import { Hono } from 'hono';

/** What a Worker of this framework costs at least: what the start-up of the console is measured against. */
export default new Hono().get('*', (c) => c.text('Hello'));
