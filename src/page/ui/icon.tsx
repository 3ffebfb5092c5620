/** Icons are drawn in `src/assets/index.html`. */
export type IconName =
  | 'add'
  | 'alert'
  | 'arrowDown'
  | 'arrowUp'
  | 'braces'
  | 'at'
  | 'bulb'
  | 'chart'
  | 'check'
  | 'clock'
  | 'close'
  | 'copy'
  | 'dot'
  | 'flask'
  | 'gate'
  | 'globe'
  | 'gear'
  | 'home'
  | 'info'
  | 'key'
  | 'layers'
  | 'left'
  | 'list'
  | 'menu'
  | 'message'
  | 'more'
  | 'people'
  | 'person'
  | 'plug'
  | 'redo'
  | 'right'
  | 'rocket'
  | 'search'
  | 'send'
  | 'shield'
  | 'signOut'
  | 'sliders'
  | 'sun'
  | 'steps'
  | 'tag'
  | 'trash'
  | 'window'
  | 'zap';

/** A decorative icon. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <use href={`#icon-${name}`} />
  </svg>
);
