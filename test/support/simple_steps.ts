import { memberOf } from '../../src/base/value_types.ts';
import type { Resource } from '../../src/platform/resource/resource.ts';
import { registry } from '../../src/registry.ts';
import { base } from './client.ts';
import { emptyThing, type Model } from './model.ts';
import type { Random } from './random.ts';
import type { Step } from './steps.ts';

const author = {
  actor: { id: '', name: '', email: null, scopes: [] },
  time: 0,
  requestID: '',
  note: null,
};

/** Resources with their own part of the model. */
const modeled = [
  'gates',
  'dynamic_configs',
  'experiments',
  'layers',
  'holdouts',
  'release_pipelines',
];

/** An entity that depends on no other: the body of its creation, and its ID. */
interface Simple {
  path: string;
  id: string;
  body: object;
}

/** Returns two entities of a resource, or none if its example and a name do not make one. */
function entitiesOf({ path, kind, transfer, example }: Resource): Simple[] {
  if (!kind || !transfer?.creation || modeled.includes(path)) return [];
  const { make } = transfer.creation;
  try {
    return [0, 1].map((index) => {
      const body = { name: `${kind.title} ${index}`, ...example };
      return { path, id: String(memberOf(make(body, author), 'id')), body };
    });
  } catch {
    return [];
  }
}

const simple = registry.flatMap(entitiesOf);

/** Returns a change of an entity that the model knows only by its versions: creates, deletes or restores it. */
export function simpleStep(random: Random, known: Model): Step {
  const { path, id, body } = random.pick(simple);
  const name = `${path}/${id}`;
  const place = `${base}/${path}/${encodeURIComponent(id)}`;
  const choice = random.below(4);
  if (choice === 0) {
    const version = 1 + random.below(known.version(name) + 3);
    return {
      method: 'PUT',
      path: `${place}/versions/${version}/restore`,
      apply: (model) => model.restore(name, version),
    };
  }
  if (choice === 1 || known.things.has(name))
    return { method: 'DELETE', path: place, apply: (model) => model.remove(name) };
  return {
    method: 'POST',
    path: `${base}/${path}`,
    body,
    apply: (model) => model.create(name, emptyThing),
  };
}
