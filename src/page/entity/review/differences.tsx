import { useState } from 'preact/hooks';
import type { Difference } from '../../base/compare_values.ts';
import { number } from '../../base/words.ts';
import { Button } from '../../ui/button.tsx';

const looks = { '+': 'come', '-': 'go', '±': 'turn' } as const;
const names = { '+': 'Added: ', '-': 'Removed: ', '±': 'Changed: ' } as const;
const maxDifferences = 12;

/** Lists differences, the first 12 at once. */
export function Differences({ list }: { list: Difference[] }) {
  const [isOpen, setOpen] = useState(false);
  const visible = isOpen ? list : list.slice(0, maxDifferences);
  return (
    <>
      <ul class="differences">
        {visible.map(({ sign, text, lines = [] }, index) => (
          <li key={`${index} ${text}`} class="difference">
            <span class={`sign sign-${looks[sign]}`} aria-hidden="true">
              {sign === '-' ? '−' : sign}
            </span>
            <div class="difference-words">
              <span class="unseen">{names[sign]}</span>
              {text}
              {lines.length > 0 && (
                <div class="lines">
                  {lines.slice(0, 40).map((line, at) => (
                    <p key={`${at} ${line.text}`} class={`line line-${looks[line.sign]}`}>
                      <span>{line.sign === '-' ? '−' : '+'}</span>
                      {line.text}
                    </p>
                  ))}
                  {lines.length > 40 && <p class="line">{`and ${lines.length - 40} more lines`}</p>}
                </div>
              )}
            </div>
          </li>
        ))}
      </ul>
      {list.length > maxDifferences && !isOpen && (
        <Button look="link" onClick={() => setOpen(true)}>
          {`Show ${number(list.length - maxDifferences)} more`}
        </Button>
      )}
    </>
  );
}
