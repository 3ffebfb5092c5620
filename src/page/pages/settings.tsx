import { kindAt } from '../kinds/all.ts';
import { named } from '../named.ts';
import { useTitle } from '../title.ts';
import { Icon } from '../ui/icon.tsx';

/** What the project is made of beside what is released: names, people, and whom changes are told. */
export function Settings() {
  useTitle('Settings');
  return (
    <>
      <div class="page-head">
        <h1 class="page-title">Settings</h1>
      </div>
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
    </>
  );
}
