// For the tool that reads folders of XLSForms.
export { ReadingThreads, type XlsForms } from './reading-threads';
export type { ImportWarning, Loss } from './report';
