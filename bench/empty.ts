import { Hono } from 'hono';

/** The baseline of the start-up: an empty Worker with Hono. */
export default new Hono().get('*', (c) => c.text('Hello'));
