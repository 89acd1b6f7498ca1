/** Three stalks tied by a band. */
export const stalks = 'M12 3v18M5 4c.5 5.5 5 6.5 5.8 10 .4 2-.8 4.5-2.3 7M19 4c-.5 5.5-5 6.5-5.8 10-.4 2 .8 4.5 2.3 7';
export const band = 'M8.5 14.5h7';

/** The mark as a file, for the tab of the browser. */
export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke-linecap="round">' +
  '<style>path{stroke:#1d4ed8}@media(prefers-color-scheme:dark){path{stroke:#9dbcff}}</style>' +
  `<path d="${stalks}" stroke-width="1.8"/><path d="${band}" stroke-width="3"/></svg>`;
