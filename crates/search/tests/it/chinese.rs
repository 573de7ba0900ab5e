//! Languages that are not English.

use crate::{index_of, keys};

#[test]
fn chinese_words_are_found_without_spaces() {
    let index = index_of(&[
        ("send_mail", "给联系人发送电子邮件"),
        ("read_mail", "读取收件箱里的邮件"),
        ("send_sms", "向手机号码发送短信"),
        ("weather", "查询城市的天气预报"),
    ]);
    assert_eq!(keys(&index, "发送邮件")[0], 0);
    assert_eq!(keys(&index, "帮我查一下明天上海的天气")[0], 3);
    assert_eq!(keys(&index, "给妈妈发一条短信")[0], 2);
    assert_eq!(keys(&index, "看看收件箱")[0], 1);
    assert_eq!(keys(&index, "信")[0], 2);
}

#[test]
fn other_scripts_are_found_too() {
    let index = index_of(&[
        ("a", "メールを送信する"),
        ("b", "이메일을 보냅니다"),
        ("c", "Отправить письмо"),
        ("d", "ส่งอีเมลถึงผู้ติดต่อ"),
        ("e", "Größe der Datei ändern"),
        ("f", "ईमेल भेजें"),
    ]);
    for (query, key) in
        [("メール", 0), ("이메일", 1), ("письмо", 2), ("อีเมล", 3), ("GROSSE", 4), ("ईमेल", 5)]
    {
        assert_eq!(keys(&index, query)[0], key, "{query}");
    }
}
