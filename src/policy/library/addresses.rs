//! IP addresses and networks, as the API server's `ip` and `cidr` libraries have them since Kubernetes 1.30.

use super::{Answer, Any, declare, opaque, text};
use cel::common::types::CelString;
use cel::common::value::CowVal;
use cel::extractors::This;
use cel::objects::Opaque;
use cel::{Context, ExecutionError, FunctionContext, Value};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;

/// The type of addresses.
pub const ADDRESS: &str = "net.IP";
/// The type of networks.
pub const NETWORK: &str = "net.CIDR";

#[derive(Debug, PartialEq, Eq)]
struct Address(IpAddr);

/// An address with the length of a prefix; the bits after the prefix are kept.
#[derive(Debug, PartialEq, Eq)]
struct Network {
    address: IpAddr,
    length: u8,
}

impl Opaque for Address {
    fn runtime_type_name(&self) -> &str {
        ADDRESS
    }
}

impl Opaque for Network {
    fn runtime_type_name(&self) -> &str {
        NETWORK
    }
}

/// No zones, no leading zeros, no IPv4 addresses in the form of IPv6.
fn parse_address(text: &str) -> Result<IpAddr, String> {
    if text.contains(':') && text.find('%').is_some_and(|at| text[..at].parse::<Ipv6Addr>().is_ok()) {
        return Err(format!("IP address {text:?} with zone value is not allowed"));
    }
    let parsed = text.parse().map_err(|_| format!("IP Address {text:?} parse error during conversion from string"))?;
    if is_mapped(&parsed) { Err(format!("IPv4-mapped IPv6 address {text:?} is not allowed")) } else { Ok(parsed) }
}

fn is_mapped(address: &IpAddr) -> bool {
    matches!(address, IpAddr::V6(address) if address.to_ipv4_mapped().is_some())
}

fn parse_network(text: &str) -> Result<Network, String> {
    let wrong = || format!("network address parse error during conversion from string: {text:?} is no CIDR");
    let (address, length) = text.rsplit_once('/').ok_or_else(wrong)?;
    let address: IpAddr = address.parse().map_err(|_| wrong())?;
    if is_mapped(&address) {
        return Err(format!("IPv4-mapped IPv6 address {text:?} is not allowed"));
    }
    let plain = length == "0" || length.starts_with(|first: char| ('1'..='9').contains(&first));
    let length: u8 = length.parse().ok().filter(|_| plain).ok_or_else(wrong)?;
    let longest = if address.is_ipv4() { 32 } else { 128 };
    if length > longest { Err(wrong()) } else { Ok(Network { address, length }) }
}

impl Network {
    /// The network that the first `length` bits of an address name.
    fn of(address: IpAddr, length: u8) -> Self {
        let address = match address {
            IpAddr::V4(address) => {
                let mask = u32::MAX.checked_shl(32 - u32::from(length)).unwrap_or(0);
                IpAddr::V4((address.to_bits() & mask).into())
            }
            IpAddr::V6(address) => {
                let mask = u128::MAX.checked_shl(128 - u32::from(length)).unwrap_or(0);
                IpAddr::V6((address.to_bits() & mask).into())
            }
        };
        Self { address, length }
    }

    fn masked(&self) -> Self {
        Self::of(self.address, self.length)
    }

    fn contains(&self, address: IpAddr) -> bool {
        self.address.is_ipv4() == address.is_ipv4() && self.masked() == Self::of(address, self.length)
    }
}

fn is_link_local(address: &IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_link_local(),
        IpAddr::V6(address) => address.segments()[0] & 0xffc0 == 0xfe80,
    }
}

fn is_link_local_multicast(address: &IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.octets()[..3] == [224, 0, 0],
        IpAddr::V6(address) => address.segments()[0] & 0xff0f == 0xff02,
    }
}

fn is_global(address: &IpAddr) -> bool {
    let broadcast = matches!(address, IpAddr::V4(address) if address.is_broadcast());
    !(broadcast
        || address.is_unspecified()
        || address.is_loopback()
        || address.is_multicast()
        || is_link_local(address))
}

fn failed(function: &str) -> impl Fn(String) -> ExecutionError + '_ {
    move |words| ExecutionError::function_error(function, words)
}

fn no_overload(function: &str, value: &Value) -> ExecutionError {
    ExecutionError::no_such_overload(function, vec![text(value)])
}

fn address_in(function: &str, value: &Value) -> Answer<IpAddr> {
    match value {
        Value::String(text) => parse_address(text).map_err(failed(function)),
        Value::Opaque(any) => any.downcast_ref::<Address>().map(|it| it.0).ok_or_else(|| no_overload(function, value)),
        _ => Err(no_overload(function, value)),
    }
}

fn network<'v>(function: &str, value: &'v Any) -> Answer<&'v Network> {
    let wrong = || ExecutionError::no_such_overload(function, vec![value.runtime_type_name().to_owned()]);
    value.downcast_ref::<Network>().ok_or_else(wrong)
}

/// `ip(text)` reads an address; `network.ip()` is the address of a network.
fn ip(call: &FunctionContext<'_, '_>) -> Answer<Value> {
    let value = |value: &CowVal<'_, '_>| Value::try_from(value.as_ref()).unwrap_or(Value::Null);
    let address = match (call.this.as_ref().map(value), call.args.first().map(value)) {
        (Some(Value::Opaque(this)), None) => network("ip", &this)?.address,
        (None, Some(Value::String(text))) => parse_address(&text).map_err(failed("ip"))?,
        (this, other) => return Err(no_overload("ip", &this.or(other).unwrap_or(Value::Null))),
    };
    Ok(opaque(Address(address)))
}

/// Adds the functions on addresses and networks.
pub fn add(context: &mut Context<'_, '_>) {
    declare(context, "ip", |call: &FunctionContext<'_, '_>| -> Answer<Value> { ip(call) });
    declare(context, "isIP", |text: Arc<String>| -> bool { parse_address(&text).is_ok() });
    declare(context, "ip.isCanonical", |text: Arc<String>| -> Answer<bool> {
        Ok(parse_address(&text).map_err(failed("ip.isCanonical"))?.to_string() == *text)
    });
    declare(context, "family", |This(this): This<Any>| -> Answer<i64> {
        Ok(if address_in("family", &Value::Opaque(this))?.is_ipv4() { 4 } else { 6 })
    });
    type Question = (&'static str, fn(&IpAddr) -> bool);
    let questions: [Question; 5] = [
        ("isUnspecified", IpAddr::is_unspecified),
        ("isLoopback", IpAddr::is_loopback),
        ("isLinkLocalMulticast", is_link_local_multicast),
        ("isLinkLocalUnicast", is_link_local),
        ("isGlobalUnicast", is_global),
    ];
    for (name, question) in questions {
        declare(context, name, move |This(this): This<Any>| -> Answer<bool> {
            Ok(question(&address_in(name, &Value::Opaque(this))?))
        });
    }
    add_networks(context);
}

fn add_networks(context: &mut Context<'_, '_>) {
    declare(context, "cidr", |text: Arc<String>| -> Answer<Value> {
        parse_network(&text).map(opaque).map_err(failed("cidr"))
    });
    declare(context, "isCIDR", |text: Arc<String>| -> bool { parse_network(&text).is_ok() });
    declare(context, "containsIP", |This(this): This<Any>, other: Value| -> Answer<bool> {
        Ok(network("containsIP", &this)?.contains(address_in("containsIP", &other)?))
    });
    declare(context, "containsCIDR", |This(this): This<Any>, other: Value| -> Answer<bool> {
        let this = network("containsCIDR", &this)?;
        let within = |other: &Network| this.length <= other.length && this.contains(other.address);
        match &other {
            Value::String(text) => parse_network(text).map(|other| within(&other)).map_err(failed("containsCIDR")),
            Value::Opaque(any) => network("containsCIDR", any).map(within),
            _ => Err(no_overload("containsCIDR", &other)),
        }
    });
    declare(context, "masked", |This(this): This<Any>| -> Answer<Value> {
        Ok(opaque(network("masked", &this)?.masked()))
    });
    declare(context, "prefixLength", |This(this): This<Any>| -> Answer<i64> {
        Ok(i64::from(network("prefixLength", &this)?.length))
    });
}

/// `string(address)` and `string(network)`.
pub fn to_string<'b, 'v>(args: Vec<CowVal<'b, 'v>>) -> Answer<CowVal<'b, 'v>> {
    let value = args.first().map(|value| Value::try_from(value.as_ref()));
    let written = match &value {
        Some(Ok(Value::Opaque(any))) => any
            .downcast_ref::<Address>()
            .map(|it| it.0.to_string())
            .or_else(|| any.downcast_ref::<Network>().map(|it| format!("{}/{}", it.address, it.length))),
        _ => None,
    };
    let wrong = || ExecutionError::no_such_overload("string", Vec::new());
    Ok(CowVal::owned(CelString::from(written.ok_or_else(wrong)?)))
}
