/** Three stalks tied by a band. */
const stalks = 'M12 3v18M5 4c.5 5.5 5 6.5 5.8 10 .4 2-.8 4.5-2.3 7M19 4c-.5 5.5-5 6.5-5.8 10-.4 2 .8 4.5 2.3 7';
const band = 'M8.5 14.5h7';

export const Mark = () => (
  <svg
    className="mark"
    viewBox="0 0 24 24"
    width="20"
    height="20"
    fill="none"
    stroke="currentColor"
    strokeLinecap="round"
    aria-hidden="true"
  >
    <path d={stalks} strokeWidth="1.8" />
    <path d={band} strokeWidth="3" />
  </svg>
);

/** The mark as a file, for the tab of the browser. */
export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke-linecap="round">' +
  '<style>path{stroke:#1f4b99}@media(prefers-color-scheme:dark){path{stroke:#9ec1ff}}</style>' +
  `<path d="${stalks}" stroke-width="1.8"/><path d="${band}" stroke-width="3"/></svg>`;
