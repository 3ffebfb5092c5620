import { kindAt } from '../kinds/all.ts';
import { named } from '../named.ts';
import { useTitle } from '../title.ts';
import { Field } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { useSingleKeys } from '../use.ts';

/** How the keyboard is used; this browser keeps it. */
function Keyboard() {
  const { isOn, switchTo } = useSingleKeys();
  return (
    <section class="used">
      <h2 class="section-title">In this browser</h2>
      <Field label="Single keys" hint="/ goes to the search of a list." isBeside>
        {(attributes) => (
          <input
            {...attributes}
            class="toggle"
            type="checkbox"
            checked={isOn}
            onChange={({ currentTarget }) => switchTo(currentTarget.checked)}
          />
        )}
      </Field>
    </section>
  );
}

/** What the project is made of beside what is released: names, people, and whom changes are told. */
export function Settings() {
  useTitle('Settings');
  return (
    <>
      <div class="page-head">
        <h1 class="page-title">Settings</h1>
      </div>
      <div class="stack">
        <ul class="cards">
          {named.map(kindAt).map(
            (kind) =>
              kind && (
                <li key={kind.path} class="card">
                  <h2 class="card-title">
                    <a class="card-link" href={`/${kind.path}`}>
                      <Icon name={kind.icon} /> {kind.many}
                    </a>
                  </h2>
                  <p class="quiet">{kind.about}</p>
                </li>
              ),
          )}
        </ul>
        <Keyboard />
      </div>
    </>
  );
}
