/** Code that may be longer than its box. It scrolls, and so takes the focus, that keys can scroll it. */
export const Code = ({ text, tall }: { text: string; tall?: boolean }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys (WCAG 2.1.1).
  <pre class={tall ? 'code code-tall' : 'code'} tabIndex={0}>
    {text}
  </pre>
);
