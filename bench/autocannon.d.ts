declare module 'autocannon' {
  interface Asked {
    url: string;
    connections: number;
    duration: number;
    method: string;
    headers: Record<string, string>;
    body?: string;
  }
  interface Result {
    requests: { average: number };
    latency: { p50: number; p99: number };
    non2xx: number;
    errors: number;
  }
  export default function autocannon(asked: Asked): Promise<Result>;
}
