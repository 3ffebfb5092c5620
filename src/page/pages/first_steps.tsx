import { experiments } from '../kinds/experiments.tsx';
import { gates } from '../kinds/gates.tsx';
import { Section } from '../ui/section.tsx';

const steps = [
  { href: '/gates', title: 'Create a gate', text: gates.about },
  {
    href: '/keys',
    title: 'Create a key for an application',
    text: 'An application evaluates gates with a server or client key.',
  },
  { href: '/experiments', title: 'Start an experiment', text: experiments.about },
];

/** Suggests first steps in a project without changes. */
export const FirstSteps = () => (
  <Section title="First steps">
    <ol class="cards">
      {steps.map(({ href, title, text }, index) => (
        <li key={href} class="card">
          <h3 class="card-title card-link">
            <span class="rule-number" aria-hidden="true">
              {index + 1}
            </span>
            <a href={href}>{title}</a>
          </h3>
          <p class="quiet">{text}</p>
        </li>
      ))}
    </ol>
    <p class="quiet">
      Everything here is also in the API:{' '}
      <a href="/docs" target="_blank" rel="noreferrer">
        API reference
      </a>
    </p>
  </Section>
);
