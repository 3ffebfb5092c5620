import { useEffect, useState } from 'preact/hooks';
import { get } from '../base/api.ts';
import { pageOf } from '../base/history_words.ts';
import { go } from '../base/location.ts';
import type { Entity } from '../base/types.ts';
import { useDebounced, useEvent, useGet } from '../base/use.ts';
import { titleOf } from '../base/words.ts';
import { apiOf } from '../entity/kind.ts';
import { kinds } from '../kinds/all.ts';
import { Combo, type Suggestion } from '../ui/combo.tsx';
import { Field } from '../ui/field.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { links, settingsLinks } from './navigation.ts';

const searched = kinds.filter(
  ({ canSearch = true, isSingle, scope }) => canSearch && !isSingle && !scope,
);

async function find(text: string): Promise<Suggestion[]> {
  const query = new URLSearchParams({ search: text, limit: '4' });
  const answers = await Promise.all(
    searched.map(async (kind) => {
      const { data } = await get<Entity[]>(`${apiOf(kind)}?${query}`);
      return data.map((entity) => ({
        value: pageOf(kind, entity.id),
        label: titleOf(entity),
        note: kind.one,
      }));
    }),
  );
  const isMatch = ({ value, label }: Suggestion) =>
    `${value} ${label}`.toLowerCase().includes(text.toLowerCase());
  const found = answers.flat();
  return [...found.filter(isMatch), ...found.filter((one) => !isMatch(one))];
}

const pages = [...links, ...settingsLinks].map(({ href, words }) => ({
  value: href,
  label: words,
  note: 'page',
}));

const hint = <span class="by-keys">Press Enter to open the first.</span>;

function useFoundPages(wanted: string) {
  const late = useDebounced(wanted, 120);
  const { value, ...got } = useGet(late ? `go to ${late}` : '', () => find(late));
  const ownPages = pages.filter(
    ({ label }) => wanted !== '' && label.toLowerCase().startsWith(wanted.toLowerCase()),
  );
  const isPage = ({ label }: Suggestion) => label.toLowerCase() === wanted.toLowerCase();
  const suggestions = [
    ...ownPages.filter(isPage),
    ...(value ?? []),
    ...ownPages.filter((page) => !isPage(page)),
  ].slice(0, 12);
  return { ...got, suggestions, isSettled: late === wanted && Boolean(value ?? got.problem) };
}

/** The dialog that opens a page or entity by its name. */
export function GoTo({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const wanted = text.trim();
  const { suggestions, isSettled, problem, again } = useFoundPages(wanted);
  useEvent(window, 'popstate', onClose);
  const [first] = suggestions;
  const [isEntered, setEntered] = useState(false);
  useEffect(() => {
    if (isEntered && isSettled && first) go(first.value);
  }, [isEntered, isSettled]);
  const status = isSettled ? `No results for “${wanted}”.` : 'Loading …';
  const type = (next: string) => {
    setText(next);
    setEntered(false);
  };
  return (
    <Sheet title="Go to" onClose={onClose} onSubmit={() => setEntered(true)}>
      <Field label="Start of a word in the name or ID" hint={hint}>
        {(attributes) => (
          <Combo
            attributes={attributes}
            text={text}
            onText={type}
            onPick={go}
            suggestions={isEntered ? [] : suggestions}
            first
          />
        )}
      </Field>
      {problem && <ProblemNote problem={problem} onAgain={again} />}
      <p class="quiet" role="status">
        {wanted && !first && !problem ? status : ''}
      </p>
    </Sheet>
  );
}
