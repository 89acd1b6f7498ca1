/** What is wrong with an answer, in fifteen languages: so it is loaded once an answer was refused. */
export { faultText } from '@sheaf/form-view';
