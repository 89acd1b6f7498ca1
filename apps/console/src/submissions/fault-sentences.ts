/** The sentences for faults of answers, in fifteen languages: so they are loaded once an answer was refused. */
export { faultText } from '@sheaf/form-view';
