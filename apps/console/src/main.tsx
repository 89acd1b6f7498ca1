import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app';
import { reloadForNewVersion } from './shell/new-version';
import { currentLanguage, showAppearance } from './shell/appearance';
import { loadWords } from './words/loading';
import './style/console.css';

reloadForNewVersion();
showAppearance();
// Asked for at once; what is drawn before they are there waits for them.
void loadWords('everywhere', currentLanguage());
const root = document.querySelector('#root');
if (!root) throw new Error('The page has no #root.');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
