import { Scrolled } from './scrolled.tsx';

/** Code that may be longer than its box. */
export const Code = ({ text, tall }: { text: string; tall?: boolean }) => (
  <Scrolled as="pre" class={tall ? 'code code-tall' : 'code'}>
    {text}
  </Scrolled>
);
