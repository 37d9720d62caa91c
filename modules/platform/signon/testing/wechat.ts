import { randomBytes } from 'node:crypto';
import { listen } from './listen.ts';

/** WeChat's web sign-in, at which everybody has scanned as `person`. Codes are valid once. */
export async function startWechat() {
  const person = { openid: 'o-1', unionid: 'u-1' as string | undefined };
  const codes = new Map<string, typeof person>();
  const asked: string[] = [];
  const server = await listen((request, response) => {
    const url = new URL(request.url ?? '/', 'http://wechat');
    const field = (name: string) => url.searchParams.get(name) ?? '';
    const tell = (value: object) =>
      void response.writeHead(200, { 'content-type': 'text/plain' }).end(JSON.stringify(value));
    if (url.pathname === '/connect/qrconnect') {
      const code = randomBytes(8).toString('hex');
      codes.set(code, { ...person });
      const back = new URL(field('redirect_uri'));
      back.searchParams.set('code', code);
      back.searchParams.set('state', field('state'));
      return void response.writeHead(302, { location: back.href }).end();
    }
    asked.push(url.pathname);
    if (url.pathname === '/sns/oauth2/access_token') {
      const known = codes.get(field('code'));
      codes.delete(field('code'));
      if (!known || field('secret') !== 'wx-secret') return tell({ errcode: 40029, errmsg: 'invalid code' });
      return tell({ access_token: `t-${known.openid}`, expires_in: 7200, ...known });
    }
    if (url.pathname === '/sns/userinfo' && field('access_token') === `t-${field('openid')}`)
      return tell({ openid: field('openid'), unionid: person.unionid, nickname: '微信用户' });
    return tell({ errcode: 40001, errmsg: 'invalid credential' });
  });
  return { ...server, person, asked };
}
