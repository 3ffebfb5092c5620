import { Icon } from '../ui/icon.tsx';
import { MiniOf } from '../urgency/lift.tsx';
import { Box } from './box.tsx';
import type { Need } from './needs.ts';

const NeedItem = ({ need }: { need: Need }) => {
  const { tone, icon, title, detail, href, action, standing } = need;
  return (
    <li class="act">
      <span class={`act-sign act-${tone}`}>
        <Icon name={icon} />
      </span>
      <div class="act-words">
        <strong>{title}</strong>
        <span class="quiet">{detail}</span>
      </div>
      {standing && <MiniOf standing={standing} width={110} />}
      <a class="button button-plain" href={href} aria-label={`${action}: ${title}`}>
        {action}
      </a>
    </li>
  );
};

/** Everything that waits for a person. */
export const NeedsYou = ({ needs }: { needs: Need[] }) => (
  <Box title="Needs you" note={needs.length}>
    {needs.length === 0 && <p class="box-none">Nothing waits for a decision or a review.</p>}
    <ul class="acts">
      {needs.map((need) => (
        <NeedItem key={need.title} need={need} />
      ))}
    </ul>
  </Box>
);
