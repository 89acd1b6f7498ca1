/** Three stalks tied by a band. */
export const stalks = 'M12 3v18M5 4c.3 4.5 4 7 4 11 0 2.5-1 4-2.5 6M19 4c-.3 4.5-4 7-4 11 0 2.5 1 4 2.5 6';
export const band = 'M8 15h8';

/** The mark as a file, for the tab of the browser. */
export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke-linecap="round">' +
  '<style>path{stroke:#1d4ed8}@media(prefers-color-scheme:dark){path{stroke:#9dbcff}}</style>' +
  `<path d="${stalks}" stroke-width="1.8"/><path d="${band}" stroke-width="2.6"/></svg>`;
