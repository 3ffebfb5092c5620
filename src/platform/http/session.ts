import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import * as z from 'zod';
import { Problem } from '../../base/problem.ts';
import { sha256Hex } from '../../base/sha256.ts';
import type { ScopedActor, Service } from '../env.ts';
import { actorOf, type FindKey, unknownKey } from './authenticate.ts';
import { requireJSON } from './body.ts';
import { clearSession, requireSameOrigin, sessionHash, setSession } from './session_cookie.ts';
import { fromZod } from './zod_errors.ts';

const signInBody = z.object({ key: z.string().min(1).max(1000) });

const unreadableKey = () =>
  new Problem('forbidden', 'The console needs a key with the scope read.');

const actorView = ({ id, name, email, scopes }: ScopedActor) => ({ id, name, email, scopes });

/** The session of the console: read, sign in with an API key, sign out. It is not part of the OpenAPI document. */
export const sessionRoutes = (find: FindKey) =>
  new Hono<Service>()
    .use(async (c, next) => {
      await next();
      c.header('Cache-Control', 'no-store');
    })
    .get('/', async (c) => {
      const hash = await sessionHash(c);
      const actor = hash === undefined ? undefined : await actorOf(c, find, hash);
      return c.json({
        message: 'Session read successfully.',
        data: actor ? actorView(actor) : null,
      });
    })
    .post(
      '/',
      (c, next) => {
        requireSameOrigin(c);
        requireJSON(c);
        return next();
      },
      // Not `valid`, which would add it to the OpenAPI document.
      zValidator('json', signInBody, (result) => {
        if (!result.success) throw fromZod(result.error, result.data, 'body');
      }),
      async (c) => {
        const hash = sha256Hex(c.req.valid('json').key);
        const actor = await actorOf(c, find, hash);
        if (!actor) throw unknownKey(c);
        if (!actor.scopes.includes('read')) throw unreadableKey();
        await setSession(c, hash);
        return c.json({ message: 'Signed in successfully.', data: actorView(actor) }, 201);
      },
    )
    .delete('/', (c) => {
      requireSameOrigin(c);
      clearSession(c);
      return c.json({ message: 'Signed out successfully.', data: null });
    });
