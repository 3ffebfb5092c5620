import { useSingleKeys } from '../base/keyboard.ts';
import { useTitle } from '../base/title.ts';
import { Fields } from '../entity/edit/fields.tsx';
import type { FieldSpec } from '../entity/kind.ts';
import { kindsIn } from '../kinds/all.ts';
import { Icon } from '../ui/icon.tsx';
import { PageHead } from '../ui/page_head.tsx';
import { Section } from '../ui/section.tsx';

const singleKeys: FieldSpec = {
  property: 'singleKeys',
  hint: 'Press / to search a list.',
  as: 'toggle',
};

function Keyboard() {
  const { isOn, switchTo } = useSingleKeys();
  return (
    <Section title="This browser">
      <Fields
        specs={[singleKeys]}
        value={{ singleKeys: isOn }}
        set={(edits) => switchTo(edits.singleKeys === true)}
      />
    </Section>
  );
}

/** The page that links to names, people and the company. */
export function Settings() {
  useTitle('Settings');
  return (
    <>
      <PageHead title="Settings" />
      <div class="stack">
        <a href="/docs" target="_blank" rel="noreferrer">
          API reference
        </a>
        <ul class="cards">
          {kindsIn('Settings').map(({ path, icon, many, about }) => (
            <li key={path} class="card">
              <h2 class="card-title">
                <a class="card-link" href={`/${path}`}>
                  <Icon name={icon} /> {many}
                </a>
              </h2>
              <p class="quiet">{about}</p>
            </li>
          ))}
        </ul>
        <Keyboard />
      </div>
    </>
  );
}
