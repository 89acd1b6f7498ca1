import { Suspense } from 'react';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { RouterProvider as AriaRouterProvider } from 'react-aria-components';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { queryClient } from './api/query-client';
import { Toasts } from './parts/toasts';
import { router } from './router';
import { useAppearance } from './shell/appearance';
import { LanguageContext } from './words/use-words';

/** The whole console. Links of React Aria's components lead through the router too. */
export function App() {
  const { language } = useAppearance();
  return (
    <LanguageContext value={language}>
      <I18nProvider locale={language}>
        <AriaRouterProvider navigate={(href) => void router.navigate({ href })}>
          <QueryClientProvider client={queryClient}>
            <Suspense>
              <RouterProvider router={router} />
            </Suspense>
            <Suspense>
              <Toasts />
            </Suspense>
          </QueryClientProvider>
        </AriaRouterProvider>
      </I18nProvider>
    </LanguageContext>
  );
}
