import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { z } from 'zod';
import { NotVouched, type Ask } from './outside.ts';
import type { Connection, Provider } from './provider.ts';

const value = z.union([z.string(), z.array(z.string()).min(1)]).transform((one) => [one].flat()[0]!);
const Success = z.object({
  serviceResponse: z.object({
    authenticationSuccess: z.object({
      user: z.string().min(1),
      attributes: z.record(z.string(), value.catch('')).optional().catch(undefined),
    }),
    authenticationFailure: z.undefined().optional(),
  }),
});

/** CAS 3, and CAS 2 if the newer address is missing. The state is part of the service's address, because CAS has none. */
export function createCas({ url, claim }: Connection, ask: Ask): Provider {
  const serviceOf = (state: string, callback: string) => `${callback}?state=${state}`;
  return {
    address: async (trip, callback) => `${url}/login?${query({ service: serviceOf(trip.state, callback) })}`,
    async vouch({ ticket }, trip, callback) {
      if (!ticket || !/^ST-[\w.-]{1,256}$/.test(ticket)) throw new NotVouched('no service ticket');
      const asked = query({ service: serviceOf(trip.state, callback), ticket });
      const newer = await ask(`${url}/p3/serviceValidate?${asked}`, { redirects: 0 });
      const answer = newer.status === 404 ? await ask(`${url}/serviceValidate?${asked}`, { redirects: 0 }) : newer;
      if (answer.status !== 200) throw new NotVouched(`validation answered ${answer.status}`);
      const { user, attributes } = successIn(answer.body.toString('utf8'));
      const number = claim ? attributes?.[claim] : user;
      if (!number?.trim()) throw new NotVouched(`no attribute “${claim}”`);
      return {
        issuer: url,
        subject: user,
        number,
        name: attributes?.['name'] || attributes?.['cn'] || attributes?.['displayName'] || number,
      };
    },
    leave: async (home) => `${url}/logout?${query({ service: home })}`,
  };
}

const query = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const parser = new XMLParser({ removeNSPrefix: true, parseTagValue: false, ignoreDeclaration: true });

function successIn(xml: string) {
  // A document type may define entities, and no ticket validation needs one.
  if (/<!DOCTYPE|<!ENTITY/i.test(xml) || XMLValidator.validate(xml) !== true) throw new NotVouched('no proper XML');
  const found = Success.safeParse(parser.parse(xml));
  if (!found.success) throw new NotVouched('the ticket was not accepted');
  return found.data.serviceResponse.authenticationSuccess;
}
