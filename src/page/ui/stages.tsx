import { Icon } from './icon.tsx';

interface StagesProps {
  stages: { title: string; notes: string[] }[];
  at: number;
}

/** A sequence of stages. */
export const Stages = ({ stages, at }: StagesProps) => (
  <ol class="stages">
    {stages.map(({ title, notes }, index) => (
      <li
        key={index}
        class={index < at ? 'stage stage-done' : 'stage'}
        aria-current={index === at ? 'step' : undefined}
      >
        <span class="bar-line">
          {index < at && <Icon name="check" />}
          {title}
        </span>
        {notes.map((note) => (
          <span key={note} class="stage-when">
            {note}
          </span>
        ))}
      </li>
    ))}
  </ol>
);
