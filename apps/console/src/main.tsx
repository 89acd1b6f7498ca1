import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app';
import { reloadForNewVersion } from './shell/new-version';
import { showAppearance } from './shell/appearance';
import './style/console.css';

reloadForNewVersion();
showAppearance();
const root = document.querySelector('#root');
if (!root) throw new Error('The page has no #root.');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
