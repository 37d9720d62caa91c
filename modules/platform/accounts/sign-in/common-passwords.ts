const words = `password passw0rd password1 password12 password123 p@ssw0rd p@ssword passwd admin123 admin1234 admin12345
admin888 administrator adminadmin root1234 rootroot test1234 testtest guest123 user1234 welcome welcome1 welcome123
letmein1 letmein123 iloveyou iloveyou1 sunshine princess football baseball superman batman123 dragon123 monkey123
master123 shadow123 michael1 trustno1 whatever starwars computer internet qwerty123 qwertyui qwertyuiop qwer1234
1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qaz2wsx3edc zaq12wsx qazwsxedc qazwsx123 asdfghjk asdfghjkl asdf1234 zxcvbnm1 zxcvbnm123
12345678 123456789 1234567890 12341234 123123123 123321123 11223344 11112222 12344321 87654321 987654321 0987654321
00000000 11111111 22222222 33333333 55555555 66666666 77777777 88888888 99999999 01234567 147258369 123654789 159357258
52013141 5201314a 5201314520 woaini520 woaini123 woaini1314 woaini521 aini1314 abc12345 abc123456 abcd1234 abcd12345
a1234567 a12345678 a123456789 aa123456 aa12345678 qq123456 qq123456789 q1w2e3r4 q1w2e3r4t5 zz123456 wang1234 wang123456
zhang123 zhang123456 li123456 li12345678 1234qwer 123qweasd 123qweasdzxc qwe123456 qweasdzxc asd123456 zxc123456
abcdefgh abcdefg1 abcdefgh1 aaaa1111 aaa11111 asdasd123 123abc456 1a2b3c4d changeme changeme1 default1 secret123
gongdan123 gongdan1234 gongdan12345 gongdan2024 gongdan2025 gongdan2026 oa123456 oa12345678 office123 bangong123
beijing2008 zhongguo china123 china2008 woshishui wodemima mima1234 mima12345 mima123456 ceshi123 admin2024 admin2025
admin2026 spring2024 summer2024 autumn2024 winter2024 spring2025 summer2025 autumn2025 winter2025 spring2026 summer2026`;

/** Passwords tried first by everybody who guesses, lower case, of eight characters or more. */
export const commonPasswords: ReadonlySet<string> = new Set(words.split(/\s+/));
