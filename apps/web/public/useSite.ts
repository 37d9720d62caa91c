import { useEffect, useState } from 'react';
import type { ReplyOf } from '#kernel/contract/call.ts';
import { send } from '#kernel/web/client.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { shellSettings } from '../stored.ts';

export interface Site {
  name: string;
  logo?: string;
  copyright?: string;
  icp?: string;
  /** Undefined until the server has answered. */
  login?: ReplyOf<typeof settings.login>['value'];
}

/** Name and logo of the site and the enabled ways to sign in. The last known name is shown until the answer arrives. */
export function useSite(): Site {
  const [site, setSite] = useState<Site>({ name: shellSettings.get().title });
  useEffect(() => {
    void send(settings.site, {}).then(
      ({ value }) => {
        shellSettings.set({ ...shellSettings.get(), title: value.name });
        setSite((before) => ({
          ...before,
          name: value.name,
          logo: value.logo[0]?.url,
          copyright: value.copyright,
          icp: value.icp,
        }));
      },
      () => undefined,
    );
    void send(settings.login, {}, { quiet: true }).then(
      ({ value }) => setSite((before) => ({ ...before, login: value })),
      () => undefined,
    );
  }, []);
  return site;
}
