import { Scrolled } from './scrolled.tsx';

/** Displays code in a scrollable box. */
export const Code = ({ text, tall }: { text: string; tall?: boolean }) => (
  <Scrolled as="pre" class={tall ? 'code code-tall' : 'code'}>
    {text}
  </Scrolled>
);
