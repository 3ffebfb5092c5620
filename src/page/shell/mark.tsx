export const Mark = () => (
  <span class="mark">
    <svg class="mark-sign" viewBox="0 0 28 18" aria-hidden="true">
      <rect class="mark-ground" width="28" height="18" rx="9" />
      <circle class="mark-knob" cx="19" cy="9" r="6" />
    </svg>
    Console
  </span>
);
