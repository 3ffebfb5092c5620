import type { Rule } from '../base/types.ts';
import type { Edited } from '../entity/kind.ts';
import { Rules, type RulesProps, withID } from '../rules/rules.tsx';
import type { Tried } from '../try/project.ts';
import { lazy } from '../ui/lazy.tsx';

const TryIt = lazy(() => import('../try/try_it.tsx').then((script) => script.TryIt));

interface TriedRulesProps
  extends Pick<RulesProps<Rule>, 'otherwise' | 'returns'>,
    Partial<Pick<RulesProps<Rule>, 'whole'>> {
  tried: Tried;
  editing: Edited<object>;
}

/** Edits rules next to a panel that evaluates them for one user. */
export const TriedRules = ({ tried, editing, whole = withID, ...rest }: TriedRulesProps) => (
  <div class="beside">
    <Rules
      {...rest}
      rules={tried.entity.rules}
      whole={whole}
      lock={editing.lock}
      errors={editing.errors}
      onChange={(rules) => editing.set({ rules })}
    />
    <TryIt tried={tried} />
  </div>
);
